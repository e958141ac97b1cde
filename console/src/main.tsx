import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueries } from './api/queries.ts'
import { sessionQuery } from './api/session.ts'
import { firstWords, LanguageProvider } from './i18n/language.tsx'
import { setUpPath } from './parts/session/set-up-path.ts'
import { createConsoleRouter } from './router.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/parts.css'
import './styles/overlays.css'
import './styles/frame.css'
import './styles/security.css'

// A new page, so that nothing remembers what the session was allowed before.
const queries = createQueries(() => window.location.assign(setUpPath()))
const router = createConsoleRouter(queries)

const place = document.getElementById('root')
if (place === null) throw new Error('index.html has no place for the console')

// Asked for at once, while the words are still on their way.
void queries.prefetchQuery(sessionQuery)
const words = await firstWords().catch((error: unknown) => {
  // Without the words of either language there is nothing else to say it with.
  place.textContent =
    'The service cannot be reached. Load the page again in a moment. – Der Dienst ist nicht erreichbar. Laden Sie die Seite gleich noch einmal.'
  place.role = 'alert'
  throw error
})

createRoot(place).render(
  <StrictMode>
    <LanguageProvider first={words}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
)
