import { Download, FileJson, Sheet } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { Menu } from '../../parts/layout/menu.tsx'
import { exportAddress } from './queries.ts'
import { useFilters } from './use-filters.ts'
import { useAuditWords } from './words.ts'

/** Exports the records that pass the filters, as a file that the browser writes as it arrives. */
export function ExportMenu() {
  const { export: words } = useAuditWords()
  const { filters } = useFilters()
  const take = (format: 'csv' | 'jsonl'): void => window.location.assign(exportAddress(filters, format))
  return (
    <Menu
      label={words.button}
      button={
        <AriaButton className="button">
          <Download className="icon" size={16} aria-hidden />
          {words.button}
        </AriaButton>
      }
      head={<p className="help audit-export-help">{words.help}</p>}
      actions={[
        { id: 'csv', name: words.csv, icon: Sheet, onAction: () => take('csv') },
        { id: 'jsonl', name: words.jsonl, icon: FileJson, onAction: () => take('jsonl') },
      ]}
    />
  )
}
