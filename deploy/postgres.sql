-- The roles and the database of Mneme on an empty Postgres. The container of compose.yaml runs this once, on its first start;
-- elsewhere: MNEME_OWNER_PASSWORD=… MNEME_REQUEST_PASSWORD=… psql --set ON_ERROR_STOP=1 --file deploy/postgres.sql, as a superuser.
\getenv owner_password MNEME_OWNER_PASSWORD
\getenv request_password MNEME_REQUEST_PASSWORD

-- DATABASE_URL: the owner of the database, and nothing more.
create role mneme login password :'owner_password';
-- The role of every request: it owns nothing and is bound by row-level security.
create role mneme_app nologin;
grant mneme_app to mneme;
-- DATABASE_REQUEST_URL: what requests log in as, so that no statement in a request can become the owner.
create role mneme_request login password :'request_password' in role mneme_app;

create database mneme owner mneme;
\connect mneme
create extension vector;
