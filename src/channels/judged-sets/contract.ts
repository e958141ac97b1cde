import {
  Contract,
  DateTime,
  FreeForm,
  Int,
  ListOf,
  Nullable,
  Num,
  OneOf,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/contract/schema.ts'
import { MODES, SECTIONS, viewFields } from '../laboratory/contract.ts'

/** Queries that a set may have: a run asks each of them. */
export const QUERIES_MAX = 500

const name = Text({ maxLength: 200 })

export const JudgedSetCreate = Contract(
  'JudgedSetCreate',
  { name, section: OneOf(SECTIONS, { description: 'What its queries search; stays as it is' }) },
  { examples: [{ name: 'What support is asked', section: 'knowledge' }] },
)
export type JudgedSetCreate = Static<typeof JudgedSetCreate>

export const JudgedSetUpdate = Contract('JudgedSetUpdate', { name })
export type JudgedSetUpdate = Static<typeof JudgedSetUpdate>

export const JudgedSet = Contract('JudgedSet', {
  id: Uuid(),
  name: Type.String(),
  section: OneOf(SECTIONS),
  queries: Int({ minimum: 0, description: 'How many queries it has' }),
  created_at: DateTime(),
  updated_at: DateTime(),
})
export type JudgedSet = Static<typeof JudgedSet>

const grade = Int({
  minimum: 0,
  maximum: 2,
  description: '2: right, 1: so-so, 0: wrong. What is not listed counts as 0',
})

const JudgedQueryWrite = Contract('JudgedQueryWrite', {
  query: Text({ maxLength: 500 }),
  judgments: ListOf(Contract('Judgment', { id: Uuid({ description: 'Entry or product' }), grade }), {
    maxItems: 50,
    description: 'Replaces those of the query, except those on entries the caller may not see',
  }),
})

export const JudgedQueries = Contract(
  'JudgedQueries',
  {
    queries: ListOf(JudgedQueryWrite, {
      minItems: 1,
      maxItems: QUERIES_MAX,
      description: 'A query that the set has is replaced, others are added. Either all are stored or none',
    }),
  },
  {
    examples: [
      {
        queries: [
          {
            query: 'connect an assistant',
            judgments: [{ id: '01a00000-0000-7000-8000-00000000000e', grade: 2 }],
          },
        ],
      },
    ],
  },
)
export type JudgedQueries = Static<typeof JudgedQueries>

export const JudgedQueriesStored = Contract('JudgedQueriesStored', {
  added: Int({ minimum: 0 }),
  replaced: Int({ minimum: 0 }),
})
export type JudgedQueriesStored = Static<typeof JudgedQueriesStored>

export const JudgedQuery = Contract('JudgedQuery', {
  id: Uuid(),
  query: Type.String(),
  judgments: ListOf(Type.Object({ id: Uuid(), grade: Int(), title: Type.String() }), {
    description: 'Those on entries and products that exist and the caller may see',
  }),
})
export type JudgedQuery = Static<typeof JudgedQuery>

export const JudgedRunCreate = Contract(
  'JudgedRunCreate',
  {
    mode: Type.Optional(OneOf(MODES, { default: 'hybrid' })),
    min_relevance: Type.Optional(Nullable(Num({ minimum: 0, maximum: 1 }))),
    ...viewFields,
  },
  { examples: [{ mode: 'hybrid', role: 'reader' }] },
)
export type JudgedRunCreate = Static<typeof JudgedRunCreate>

const runFields = {
  id: Uuid(),
  state: OneOf(['running', 'done', 'failed'], { description: '`failed`: it ended before its last query' }),
  done: Int({ minimum: 0, description: 'Queries asked so far' }),
  total: Int({ minimum: 0, description: 'Queries of the set when the run began' }),
  settings: FreeForm({
    description:
      'What it was run with: mode, min_relevance, role, ceiling, and of the tenant embedding_model and weight',
  }),
  ndcg: Nullable(Num(), { description: 'Mean nDCG@10 of the queries that something answers; null without one' }),
  first_right: Nullable(Num(), { description: 'Share of the queries whose first hit is right' }),
  started_at: DateTime(),
  finished_at: Nullable(DateTime()),
}

export const JudgedRun = Contract('JudgedRun', runFields)
export type JudgedRun = Static<typeof JudgedRun>

export const JudgedRunResult = Contract('JudgedRunResult', {
  query: Type.String(),
  ndcg: Nullable(Num(), { description: 'Null when nothing answers the query' }),
  first_right: Type.Boolean({ description: 'Of a query that nothing answers: whether there is no hit' }),
})
export type JudgedRunResult = Static<typeof JudgedRunResult>

export const JudgedRunDetail = Contract('JudgedRunDetail', { ...runFields, results: ListOf(JudgedRunResult) })
export type JudgedRunDetail = Static<typeof JudgedRunDetail>
