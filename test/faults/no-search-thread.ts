/** Loaded into every thread of a service by `--import`. Ends the search thread at every start. */
import { threadName } from 'node:worker_threads'

if (threadName === 'search') throw new Error('no search thread in this test')
