import { Download } from 'lucide-react'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { faultLines } from '../../parts/editing/field-faults.ts'
import { saveFile } from '../../parts/tables/save-file.ts'
import { Section } from '../../parts/layout/section.tsx'
import type { ImportFault } from './import-run.ts'
import { useImportWords } from './words.ts'

/** Lists the entries or products that could not be imported, with the reasons, and saves them as files. */
export function Faults(props: {
  readonly faults: readonly ImportFault[]
  /** Returns the place of a record in words, for a file whose lines mean nothing to people. */
  readonly place?: ((line: number) => string) | undefined
  readonly help?: string
}) {
  const { faults, place, help } = props
  const words = useImportWords()
  const shared = useWords()
  const { formats } = useLanguage()
  if (faults.length === 0) return null
  const placeOf = ({ file, line }: ImportFault): string =>
    line === null ? file : (place?.(line) ?? words.line(file, formats.number(line)))
  const reasonsOf = ({ reason, details }: ImportFault): string[] =>
    reason === null ? faultLines(details, shared) : [words.reasons[reason]]
  const lines = faults.flatMap(({ raw }) => raw ?? [])
  const list = (): string =>
    faults.map((fault) => [placeOf(fault), ...reasonsOf(fault)].map(quoted).join(';')).join('\r\n')
  return (
    <Section title={words.faults} help={help ?? words.faultsHelp}>
      <div className="stack">
        <div className="row">
          {lines.length === 0 ? null : (
            <Button icon={Download} onPress={() => saveFile('not-imported.jsonl', `${lines.join('\n')}\n`)}>
              {words.download}
            </Button>
          )}
          <Button icon={Download} onPress={() => saveFile('not-imported.csv', list())}>
            {words.downloadList}
          </Button>
        </div>
        <DataTable
          label={words.faults}
          rows={faults}
          keyOf={({ file, line }) => `${file} ${line}`}
          columns={[
            { id: 'where', head: words.where, cell: (fault) => <span className="wrap">{placeOf(fault)}</span> },
            {
              id: 'why',
              head: words.why,
              width: '2fr',
              cell: (fault) => <span className="wrap">{reasonsOf(fault).join(' ')}</span>,
            },
          ]}
        />
      </div>
    </Section>
  )
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
