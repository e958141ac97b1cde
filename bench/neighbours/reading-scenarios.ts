import { setTimeout as sleep } from 'node:timers/promises'
import { times } from './abuser.ts'
import { prepared } from './scenario.ts'
import { makeCorpus } from '../search-corpus.ts'

const PAGES = 20_000

/** The pages are stored in advance, so that the model has far more to read than the abuse lasts. */
export const READING = prepared(
  { name: 'reading', settings: { EMBEDDING_MODEL: 'both' } },
  async (abuser) => {
    const category = await abuser.api.category('Read')
    const { entries } = makeCorpus(abuser.size(PAGES), 0)
    const page = (n: number) => ({ ...entries[n], category_id: category, category: undefined })
    await abuser.store(times(entries.length, page))
  },
  [
    {
      name: 'reading',
      what: `lets the contextual model read ${PAGES.toLocaleString('en')} pages, which were imported before`,
      mostSeconds: 40,
      async run(abuser) {
        abuser.extend(30_000)
        while (!abuser.isOver) await sleep(100)
      },
    },
  ],
)
