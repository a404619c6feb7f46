-- What was found, in how many incidents, and where to look first.
SELECT
  finding.reason AS reason,
  finding.family AS family,
  count(*) AS findings,
  count(DISTINCT incident_id) AS incidents,
  min(bundle) AS first_bundle
FROM results, unnest(findings) AS told(finding)
GROUP BY finding.reason, finding.family
ORDER BY findings DESC, reason;
