import { answerOf, api } from './client.ts'

/** Entries whose titles fit what is typed. */
export async function suggestEntries(typed: string, signal: AbortSignal) {
  const query = { q: typed.slice(0, 200), section: ['knowledge' as const], limit: 10 }
  return (await answerOf(api.GET('/api/knowledge/suggest', { params: { query }, signal }))).entries ?? []
}
