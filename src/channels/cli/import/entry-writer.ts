import type { Caller } from '../../../platform/access/caller.ts'
import { checkEntry, type EntryBulkRules } from '../../../knowledge/entries/bulk/bulk-rules.ts'
import type { EntryCreate } from '../../../knowledge/entries/contract.ts'
import { detectedLanguage } from '../../../knowledge/entries/writes/language.ts'
import { textFaults } from '../../../platform/contract/text-faults.ts'
import { Fault } from '../../../platform/faults.ts'
import { sayFaults } from '../../import/say-faults.ts'
import type { ImportReport } from './report.ts'

/** An entry to import, with its name in messages. */
export interface Candidate {
  readonly name: string
  readonly entry: Readonly<Record<string, unknown>>
}

/** Checks and stores a batch of entries, and reports the results. A dry run stores nothing. */
export async function writeEntries(
  rules: EntryBulkRules,
  caller: Caller,
  candidates: readonly Candidate[],
  report: ImportReport,
  dryRun: boolean,
): Promise<void> {
  const sound: Candidate[] = []
  for (const candidate of candidates) {
    const { name, entry } = candidate
    const textFaultsOfEntry = textFaults(entry, ['body'])
    const contractFaults = textFaultsOfEntry.length > 0 ? null : checkEntry(entry)
    if (textFaultsOfEntry.length > 0) report.fail(name, sayFaults(textFaultsOfEntry))
    else if (contractFaults === null) sound.push(candidate)
    else {
      const fault = await rules.completeLine(caller, entry, new Fault('invalid', contractFaults), !dryRun)
      report.fail(name, sayFaults(fault.details))
    }
  }
  if (sound.length === 0) return
  const entries = sound.map(({ entry }) => entry as EntryCreate)
  const outcomes = await rules[dryRun ? 'preview' : 'storeBatch'](caller, entries)
  for (const [i, outcome] of outcomes.entries()) {
    if (outcome.status === 'failed') report.fail(sound[i].name, sayFaults(outcome.fault.details))
    else {
      const language = entries[i].language ?? detectedLanguage(entries[i])
      report.counts[outcome.status]++
      report.inLanguage(language)
      if (outcome.status !== 'unchanged' && language === null) report.unnamedLanguages++
    }
  }
}
