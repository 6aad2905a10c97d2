'use client'

import { OrganizationProvider } from '@svc/organizations/web'
import type { ReactNode } from 'react'

const languages = {
  ko: () => import('@svc/organizations/web/korean').then(({ koreanWords }) => koreanWords),
}

/** The pages of organizations, in the languages of the application. */
export function OrganizationLanguages({ children }: { children: ReactNode }) {
  return (
    <OrganizationProvider home="board" languages={languages}>
      {children}
    </OrganizationProvider>
  )
}
