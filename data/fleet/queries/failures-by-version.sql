-- How often operations fail, by version of the program: the name of a package tells it.
SELECT process, package, count(*) AS operations,
       sum(CASE WHEN failed THEN 1 ELSE 0 END) AS failures,
       sum(CASE WHEN failed THEN 1 ELSE 0 END) * 100.0 / count(*) AS percent
FROM activities
WHERE package IS NOT NULL
GROUP BY process, package
ORDER BY percent DESC, package;
