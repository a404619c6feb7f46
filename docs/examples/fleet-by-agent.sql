-- Which agents took part in what is indicated, and how often.
SELECT
  agent,
  count(*) AS pairs,
  count(*) FILTER (verdict = 'FORENSICALLY_INDICATED') AS indicated
FROM results, unnest(agents) AS named(agent)
GROUP BY agent
ORDER BY indicated DESC, pairs DESC, agent;
