import { RequirePermission } from '../../guards/guards.ts'
import { type ConsolePageProps, consolePaths, serverAuthApi } from '../console-page.ts'
import { ServerView } from './server-view.tsx'

/** What the server stands on, and what is configured. */
export async function ServerPage({ denied, path, loginPath }: ConsolePageProps) {
  return (
    <RequirePermission
      permissions={['server:read']}
      returnTo={path ?? consolePaths.server}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Found />
    </RequirePermission>
  )
}

async function Found() {
  const state = await serverAuthApi().readServerState.call()
  return <ServerView state={state} renderedAt={Date.now()} />
}
