/** Loaded into every thread of a service by `--import`. The search thread gets no connection to PostgreSQL. */
import { threadName } from 'node:worker_threads'
import pg from 'pg'

if (threadName === 'search') {
  const refused = Object.assign(new Error('no connection for searches in this test'), { code: '53300' })
  pg.Pool.prototype.connect = (() => Promise.reject(refused)) as pg.Pool['connect']
}
