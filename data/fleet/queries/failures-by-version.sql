-- Share of failed operations by program version, which is part of the package name.
SELECT process, package, count(*) AS operations,
       sum(CASE WHEN failed THEN 1 ELSE 0 END) AS failures,
       sum(CASE WHEN failed THEN 1 ELSE 0 END) * 100.0 / count(*) AS percent
FROM activities
WHERE package IS NOT NULL
GROUP BY process, package
ORDER BY percent DESC, package;
