import { RequirePermission } from '../../guards/guards.ts'
import { type ConsolePageProps, consolePaths, serverAuthApi } from '../console-page.ts'
import { LimitsView } from './limits-view.tsx'

/** The limits that have refused requests, in the process that answers. */
export async function LimitsPage({ denied, path, loginPath }: ConsolePageProps) {
  return (
    <RequirePermission
      permissions={['server:read']}
      returnTo={path ?? consolePaths.limits}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Found />
    </RequirePermission>
  )
}

async function Found() {
  const found = await serverAuthApi().listLimitHits.call()
  return <LimitsView {...found} renderedAt={Date.now()} />
}
