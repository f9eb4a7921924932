-- Retransmitted segments by network of the server: its IPv4 address without the last number (/24).
SELECT net, count(*) AS connections, sum(retransmits) AS segments_again,
       sum(retransmits) * 1.0 / count(*) AS each
FROM tcp
WHERE protocol = 'TCP' AND ip LIKE '%.%'
GROUP BY net
ORDER BY each DESC, net;
