-- Segments sent again, by network of the server (/24; IPv6: what stands before the last digits).
SELECT net, count(*) AS connections, sum(retransmits) AS segments_again,
       sum(retransmits) * 1.0 / count(*) AS each
FROM tcp
WHERE protocol = 'TCP' AND ip LIKE '%.%'
GROUP BY net
ORDER BY each DESC, net;
