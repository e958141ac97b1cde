import type { Screen } from '../screen.ts'

const PATH = '/console/system'

export const screens: readonly Screen[] = [
  { name: 'system', as: 'admin', path: PATH, ready: '.system [role=table]' },
  {
    name: 'system-worth-a-look',
    as: 'admin',
    path: PATH,
    // A test cannot bring about a provider that fails and memory that is full, so the answer is made up.
    steps: async (page) => {
      await page.route('**/api/knowledge/status', async (route) => {
        const answer = await route.fetch()
        const status = (await answer.json()) as { embedding: object; search: object }
        const embedding = {
          ...status.embedding,
          items: 1_284,
          embedded: 1_240,
          pending: 44,
          failing: 44,
          last_error: '429 Too Many Requests',
        }
        const leftOut = ['01a1fc48-156b-7507-8b3c-b0116ce75ce1', '01a1fc48-156b-7507-8b3c-b0116ce75ce2']
        const search = {
          ...status.search,
          left_out: 2,
          left_out_documents: leftOut.map((id) => ({ index: 'entries', id, owner: leftOut[0] })),
          bytes: 258_000_000,
          bytes_max: 268_000_000,
        }
        await route.fulfill({ response: answer, json: { ...status, embedding, search } })
      })
      await page.reload()
    },
    ready: '.notice-warning',
  },
  { name: 'system-forbidden', as: 'editor', path: PATH, ready: '.empty' },
]
