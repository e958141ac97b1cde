import { test, type TestContext } from 'node:test'

/**
 * Parts of the stories. The gate runs some stories of each file, at least one for each page and each way of writing
 * (`stories.test.ts`); the rest runs in `npm run test:all`, from test files of its own.
 */
export type Part = 'gate' | 'rest'

type Story = (name: string, story: (t: TestContext) => Promise<void>) => void

/**
 * Returns the functions by which a file declares its stories. Each story becomes a test in its own part, and nothing in
 * the other.
 */
export function storiesOf(part: Part): { readonly inGate: Story; readonly inRest: Story } {
  const declare: Story = (name, story) => void test(name, story)
  const leaveOut: Story = () => {}
  return part === 'gate' ? { inGate: declare, inRest: leaveOut } : { inGate: leaveOut, inRest: declare }
}
