import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueries } from './api/queries.ts'
import { LanguageProvider } from './i18n/language.tsx'
import { createConsoleRouter, toSignIn } from './router.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/parts.css'
import './styles/frame.css'
import './styles/pages.css'
import './styles/security.css'

const queries = createQueries(() => toSignIn(router))
const router = createConsoleRouter(queries)

const place = document.getElementById('root')
if (place === null) throw new Error('index.html has no place for the console')
createRoot(place).render(
  <StrictMode>
    <LanguageProvider>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
)
