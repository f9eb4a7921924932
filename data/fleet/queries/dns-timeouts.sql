-- DNS servers with queries that timed out; status 1460 is ERROR_TIMEOUT.
SELECT server, count(*) AS questions,
       sum(CASE WHEN status = 1460 THEN 1 ELSE 0 END) AS timeouts
FROM dns
WHERE server IS NOT NULL
GROUP BY server
HAVING sum(CASE WHEN status = 1460 THEN 1 ELSE 0 END) > 0
ORDER BY timeouts DESC, server;
