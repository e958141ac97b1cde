import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { reloadOnce } from '../../api/lazy-file.ts'
import { sessionQuery } from '../../api/session.ts'

const ELSEWHERE = /^https:\/\//i

/**
 * Draws a picture of an entry where the tenant shows pictures of other servers, else a link to it. Nothing on this host
 * is drawn: a picture there would be a request with the reader's session, and the service has no pictures of entries.
 */
export function Picture({ src, alt, title }: { readonly src: string; readonly alt: string; readonly title?: string }) {
  const session = useQueryClient().getQueryData(sessionQuery.queryKey)
  const [isLost, setLost] = useState(false)
  const isAllowed = session?.tenant.foreign_pictures === true && ELSEWHERE.test(src)
  // Before the browser can tell of the picture.
  useLayoutEffect(() => (isAllowed ? reloadForPolicy() : undefined), [isAllowed])
  if (isAllowed && !isLost) {
    return (
      <img
        src={src}
        alt={alt}
        title={title}
        loading="lazy"
        referrerPolicy="no-referrer"
        onError={() => setLost(true)}
      />
    )
  }
  return (
    <a href={src === '' ? undefined : src} rel="noopener noreferrer">
      {alt === '' ? src : alt}
    </a>
  )
}

/**
 * Loads the page anew if its policy still forbids pictures of others. The service sends the policy with the page, so a
 * page that was loaded before sign-in, or before the tenant allowed them, has the stricter one.
 * @returns a function that stops this
 */
function reloadForPolicy(): () => void {
  const onViolation = ({ effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective === 'img-src') reloadOnce()
  }
  document.addEventListener('securitypolicyviolation', onViolation)
  return () => document.removeEventListener('securitypolicyviolation', onViolation)
}
