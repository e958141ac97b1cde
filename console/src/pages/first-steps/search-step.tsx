import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { sampleQuery } from './queries.ts'
import { useFirstStepsWords } from './words.ts'

/** Leads to the first search, with questions that the sample answers if it is stored. */
export function SearchStep() {
  const words = useFirstStepsWords()
  const { data: sample = [] } = useQuery(sampleQuery)
  return (
    <>
      <p>{words.searchText}</p>
      <div className="first-steps-ways">
        {sample.length === 0
          ? null
          : words.questions.map((question) => (
              <Link key={question} to="/console" search={{ q: question }} className="button">
                <Search className="icon" size={16} aria-hidden />
                {question}
              </Link>
            ))}
        <Link to="/console" className="button">
          {words.toSearch}
        </Link>
      </div>
    </>
  )
}
