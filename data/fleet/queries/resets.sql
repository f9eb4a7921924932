-- Connections that the server reset; 0xc000020d is STATUS_CONNECTION_RESET.
SELECT ip, port, count(*) AS connections,
       sum(CASE WHEN error LIKE '%0xc000020d%' THEN 1 ELSE 0 END) AS resets
FROM tcp
WHERE protocol = 'TCP'
GROUP BY ip, port
HAVING sum(CASE WHEN error LIKE '%0xc000020d%' THEN 1 ELSE 0 END) > 0
ORDER BY resets DESC, ip, port;
