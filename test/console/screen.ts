import type { Page } from 'playwright-core'
import type { Sample } from './sample/sample.ts'

/** A page in a state that is worth looking at, for the pictures and for the tests that hold for every page. */
export interface Screen {
  /** Name of the pictures, such as "api-keys-issuing". */
  readonly name: string
  /** Person who looks at the state; null for none. */
  readonly as: 'reader' | 'editor' | 'admin' | 'operator' | 'shopkeeper' | 'founder' | null
  readonly path: string | ((sample: Sample) => string)
  /** Leads from the opened page to the state. Use roles, classes and names of fields: texts differ by language. */
  readonly steps?: (page: Page) => Promise<void>
  /** Whether the steps change nothing and type nothing: the next page closes what they open, such as a dialog. */
  readonly onlyOpens?: boolean
  /** Selector of the element that shows that the state is reached; by default the heading. */
  readonly ready?: string
}
