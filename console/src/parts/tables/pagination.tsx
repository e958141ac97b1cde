import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useLanguage } from '../../i18n/language.tsx'
import { IconButton } from '../layout/button.tsx'

/**
 * Leads through the pages of a list, and says in words which rows are shown.
 * @param props.firstRow index of the first row shown, from 0
 * @param props.total estimated number of rows; null when it is unknown
 */
export function Pagination(props: {
  readonly firstRow: number
  readonly rowCount: number
  readonly total: number | null
  readonly onPrevious: (() => void) | null
  readonly onNext: (() => void) | null
}) {
  const { words, formats } = useLanguage()
  const { firstRow, rowCount, total, onPrevious, onNext } = props
  const [first, last] = [firstRow + 1, firstRow + rowCount].map(formats.number) as [string, string]
  return (
    <nav className="pagination" aria-label={words.table.pages}>
      <p role="status">
        {rowCount === 0 ? '' : words.table.rows(first, last, total === null ? null : formats.number(total))}
      </p>
      <span className="row">
        <IconButton
          kind="plain"
          size="small"
          icon={ChevronLeft}
          label={words.table.previous}
          isDisabled={onPrevious === null}
          onPress={() => onPrevious?.()}
        />
        <IconButton
          kind="plain"
          size="small"
          icon={ChevronRight}
          label={words.table.next}
          isDisabled={onNext === null}
          onPress={() => onNext?.()}
        />
      </span>
    </nav>
  )
}
