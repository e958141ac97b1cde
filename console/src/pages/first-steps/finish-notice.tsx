import { Link } from '@tanstack/react-router'
import { Notice } from '../../parts/feedback/notice.tsx'
import { useFirstStepsWords } from './words.ts'

/** Says that all steps are done. */
export function FinishNotice() {
  const words = useFirstStepsWords()
  return (
    <Notice tone="success">
      <p>
        <strong>{words.finished}</strong>
      </p>
      <p>
        <Link to="/console">{words.toSearch}</Link>
      </p>
    </Notice>
  )
}
