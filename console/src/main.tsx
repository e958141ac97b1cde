import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueries } from './api/queries.ts'
import { sessionQuery } from './api/session.ts'
import { LanguageProvider } from './i18n/language.tsx'
import { setUpPath } from './parts/session/set-up-path.ts'
import { createConsoleRouter } from './router.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/parts.css'
import './styles/overlays.css'
import './styles/frame.css'
import './styles/security.css'

// A full page load, because pages in memory would still show the permissions that the session had before.
const queries = createQueries(() => window.location.assign(setUpPath()))
const router = createConsoleRouter(queries)

const place = document.getElementById('root')
if (place === null) throw new Error('index.html has no place for the console')

// Requested at once, while the first page is being fetched.
void queries.prefetchQuery(sessionQuery)

createRoot(place).render(
  <StrictMode>
    <LanguageProvider>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
)
