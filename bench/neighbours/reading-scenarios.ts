import { setTimeout as sleep } from 'node:timers/promises'
import { makeCorpus } from '../search-corpus.ts'
import { times } from './abuser.ts'
import type { ScenarioGroup } from './scenario.ts'

const PAGES = 20_000

/** Nothing is stored in advance: the neighbour alone would already be beside the reading. */
export const READING: ScenarioGroup = {
  name: 'reading',
  settings: { EMBEDDING_MODEL: 'both' },
  scenarios: [
    {
      name: 'reading',
      what: `imports ${PAGES.toLocaleString('en')} pages, and for 30 seconds more lets the contextual model read them`,
      mostSeconds: 120,
      async run(abuser) {
        const category = await abuser.api.category('Read')
        const { entries } = makeCorpus(abuser.size(PAGES), 0)
        await abuser.store(
          times(entries.length, (n) => ({ ...entries[n], category_id: category, category: undefined })),
        )
        abuser.extend(30_000)
        while (!abuser.isOver) await sleep(100)
      },
    },
  ],
}
