export {
  type Click,
  type ClientOptions,
  createClient,
  type KnowledgeClient,
  type SearchOptions,
  type SuggestOptions,
} from './client.ts'
export type { EntryHit, ProductHit } from './hits.ts'
export { KnowledgeError, type Fault } from './request.ts'
export { answerTyping, type Typing, type TypingOptions } from './typing.ts'
export type { components, operations, paths } from './schema.ts'
