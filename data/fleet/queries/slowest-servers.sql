-- The slowest servers of each day: percentiles of the duration of operations, by nearest rank.
SELECT day, server, max(n) AS operations,
       min(CASE WHEN place >= 0.50 * n THEN duration_ns END) AS p50_ns,
       min(CASE WHEN place >= 0.95 * n THEN duration_ns END) AS p95_ns,
       min(CASE WHEN place >= 0.99 * n THEN duration_ns END) AS p99_ns
FROM (SELECT day, server, duration_ns,
             row_number() OVER (PARTITION BY day, server ORDER BY duration_ns) AS place,
             count(*) OVER (PARTITION BY day, server) AS n
      FROM activities
      WHERE server IS NOT NULL AND duration_ns IS NOT NULL) AS ranked
GROUP BY day, server
ORDER BY day, p95_ns DESC, server;
