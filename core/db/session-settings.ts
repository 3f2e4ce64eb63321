/**
 * Every session begins with these. Statements are short and many, so compiling one takes longer than it ever saves, yet Postgres would do so
 * where its estimate of a long one is high. A session whose client is gone or waits for itself ends, so that its locks and its transaction
 * never outlast it by more than two minutes: Postgres alone would keep those of a host that vanished for hours. The embedded database has
 * settings of its own.
 */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  jit: 'off',
  idle_in_transaction_session_timeout: '120s',
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
}

/**
 * The snapshot of a job holds no locks, and its reader may wait long for others between two statements: to store what it has read, for
 * example. A host that vanished ends it sooner, by its keepalives.
 */
export const SNAPSHOT_IDLE_LIMIT = '1h'
