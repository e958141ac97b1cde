import { answerOf, api } from './client.ts'

/** Returns entries whose titles fit the typed text. */
export async function suggestEntries(typed: string, signal: AbortSignal) {
  const query = { q: typed.slice(0, 200), section: ['knowledge' as const], limit: 10 }
  return (await answerOf(api.GET('/api/knowledge/suggest', { params: { query }, signal }))).entries ?? []
}
