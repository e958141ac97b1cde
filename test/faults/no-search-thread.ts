/** Loaded into every thread of a service by `--import`: the search thread ends with it, however often it starts. */
import { threadName } from 'node:worker_threads'

if (threadName === 'search') throw new Error('no search thread in this test')
