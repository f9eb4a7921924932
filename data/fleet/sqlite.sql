-- SQLite: views that add the columns "day" and "net" to the tables that "netstitch-cli extract --as sqlite" wrote.
--   (echo "ATTACH 'fleet.sqlite' AS fleet;"; cat sqlite.sql queries/slowest-servers.sql) | sqlite3
-- The column "day" is the day of the row in UTC.
CREATE TEMP VIEW activities AS SELECT *, substr(start_utc, 1, 10) AS day FROM fleet.activities;
CREATE TEMP VIEW dns AS SELECT *, substr(start_utc, 1, 10) AS day FROM fleet.dns;
CREATE TEMP VIEW tcp AS SELECT *, substr(start_utc, 1, 10) AS day, rtrim(ip, '0123456789') AS net FROM fleet.tcp;
CREATE TEMP VIEW trace AS SELECT *, substr(start_utc, 1, 10) AS day FROM fleet.trace;
CREATE TEMP VIEW stacks AS SELECT *, substr(start_utc, 1, 10) AS day FROM fleet.stacks;
