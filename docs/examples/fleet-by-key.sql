-- What was signed under each key, when, and how much of it is still accepted.
SELECT
  key_id,
  signer_id,
  count(*) AS pairs,
  count(*) FILTER (signature_accepted) AS accepted,
  min(issued_at) AS first_issued,
  max(issued_at) AS last_issued
FROM results
WHERE key_id IS NOT NULL
GROUP BY key_id, signer_id
ORDER BY pairs DESC, key_id, signer_id;
