import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { saveFile } from '../../parts/tables/save-file.ts'
import { sayDone, sayFailed } from '../../parts/feedback/toast.tsx'
import { useOperatorWords } from '../operator/words.ts'
import { usageCsv } from './queries.ts'
import { useFilters } from './use-filters.ts'

/** Saves the use of all tenants that pass the filters as a file. */
export function ExportButton() {
  const common = useWords()
  const { tenants } = useOperatorWords()
  const { filters } = useFilters()
  const take = useMutation({
    mutationFn: () => usageCsv(filters),
    onSuccess: (csv) => {
      saveFile('usage.csv', csv, 'text/csv')
      sayDone(tenants.exported)
    },
    onError: (error) => sayFailed(faultText(error, common)),
  })
  return (
    <Button icon={Download} isPending={take.isPending} onPress={() => take.mutate()}>
      {tenants.export}
    </Button>
  )
}
