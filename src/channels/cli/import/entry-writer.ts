import type { Caller } from '../../../platform/access/caller.ts'
import { checkEntry, type EntryBulkRules } from '../../../knowledge/entries/bulk/bulk-rules.ts'
import type { EntryCreate } from '../../../knowledge/entries/contract.ts'
import { faultsOf, type ImportReport, sayFaults } from './report.ts'

/** An entry to import, and its name in messages. */
export interface Candidate {
  readonly name: string
  readonly entry: Readonly<Record<string, unknown>>
}

/** Checks and stores a batch of entries and reports the results. A dry run only reports what would be stored. */
export async function writeEntries(
  rules: EntryBulkRules,
  caller: Caller,
  candidates: readonly Candidate[],
  report: ImportReport,
  dryRun: boolean,
): Promise<void> {
  const good = candidates.filter(({ name, entry }) => {
    const faults = faultsOf(entry, checkEntry)
    if (faults !== null) report.fail(name, sayFaults(faults))
    return faults === null
  })
  if (good.length === 0) return
  const entries = good.map(({ entry }) => entry as EntryCreate)
  const outcomes = await rules[dryRun ? 'preview' : 'storeBatch'](caller, entries)
  for (const [i, outcome] of outcomes.entries()) {
    if (outcome.status === 'failed') report.fail(good[i].name, sayFaults(outcome.fault.details))
    else {
      const { language } = entries[i]
      report.counts[outcome.status]++
      report.inLanguage(language ?? null)
      if (outcome.status !== 'unchanged' && language === undefined) report.unnamedLanguages++
    }
  }
}
