import { getSession, RequirePermission } from '../../guards/guards.ts'
import type { AddressQuery } from '../address-query.ts'
import { type ConsolePageProps, consolePaths, serverAuthApi } from '../console-page.ts'
import { type AuditQuery, auditFaults, auditInput, readAuditQuery } from './audit-query.ts'
import { AuditView } from './audit-view.tsx'

/** The query has the filters and the number of the page. */
export interface AuditPageProps extends ConsolePageProps {
  searchParams: Promise<AddressQuery>
}

/** What was done, by whom and to whom, the newest first. */
export async function AuditPage({ searchParams, denied, path, loginPath }: AuditPageProps) {
  const query = readAuditQuery(await searchParams)
  const place = path ?? consolePaths.audit
  return (
    <RequirePermission
      permissions={['audit:read']}
      returnTo={place}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Found query={query} path={place} />
    </RequirePermission>
  )
}

async function Found({ query, path }: { query: AuditQuery; path: string }) {
  const session = await getSession()
  const mayReadUsers = session?.permissions.includes('user:read') ?? false
  const shared = { query, path, mayReadUsers, renderedAt: Date.now() }
  if (auditFaults(query, mayReadUsers).any) {
    return <AuditView {...shared} rows={[]} totalPages={0} />
  }
  const { data, meta } = await serverAuthApi().listAuditEvents.call({ query: auditInput(query) })
  return <AuditView {...shared} rows={data} totalPages={meta.pagination.totalPages} />
}
