-- ClickHouse: views of the tables that "netstitch-cli extract --to fleet" wrote.  Run it in the parent of "fleet":
--   cat clickhouse.sql queries/slowest-servers.sql | clickhouse local --multiquery
-- The column "day" is the day of the row in UTC. It replaces that in the path, the day of the start of the trace, which
-- newer versions of ClickHouse add as a column of type Date.
CREATE VIEW activities AS SELECT * EXCEPT (day), toString(toDate(start_utc, 'UTC')) AS day FROM file('fleet/activities/*/*.parquet');
CREATE VIEW dns AS SELECT * EXCEPT (day), toString(toDate(start_utc, 'UTC')) AS day FROM file('fleet/dns/*/*.parquet');
CREATE VIEW tcp AS SELECT * EXCEPT (day), toString(toDate(start_utc, 'UTC')) AS day, trim(TRAILING '0123456789' FROM ip) AS net FROM file('fleet/tcp/*/*.parquet');
CREATE VIEW trace AS SELECT * EXCEPT (day), toString(toDate(start_utc, 'UTC')) AS day FROM file('fleet/trace/*/*.parquet');
CREATE VIEW stacks AS SELECT * EXCEPT (day), toString(toDate(start_utc, 'UTC')) AS day FROM file('fleet/stacks/*/*.parquet');
