import { useLocation } from '@tanstack/react-router'
import { Menu, X } from 'lucide-react'
import { useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { useWords } from '../i18n/language.tsx'
import { IconButton } from '../parts/layout/button.tsx'
import { Mark } from './mark.tsx'
import { Navigation } from './navigation-list.tsx'

/** Shows the navigation on narrow screens: a button that opens it over the page. Going to a page closes it. */
export function Drawer() {
  const words = useWords()
  const { pathname } = useLocation()
  // Open only for the page it was opened on.
  const [openOn, setOpenOn] = useState<string | null>(null)
  return (
    <div className="drawer-button">
      <IconButton icon={Menu} label={words.frame.openNavigation} onPress={() => setOpenOn(pathname)} />
      <ModalOverlay
        className="overlay drawer-overlay"
        isOpen={openOn === pathname}
        onOpenChange={() => setOpenOn(null)}
        isDismissable
      >
        <Modal className="drawer">
          <Dialog className="drawer-dialog" aria-label={words.frame.navigation}>
            <div className="drawer-head">
              <span className="brand">
                <Mark />
                {words.product}
              </span>
              <IconButton icon={X} label={words.frame.closeNavigation} onPress={() => setOpenOn(null)} />
            </div>
            <Navigation />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </div>
  )
}
