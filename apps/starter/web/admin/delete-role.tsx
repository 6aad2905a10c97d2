import { authApi, type RoleItem } from '@svc/auth'
import { ConfirmButton, Outcome } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { roleRefusal } from './role-refusal.ts'

interface Props {
  role: RoleItem
  onDeleted: () => void
}

/** Asks once more: a role does not come back. */
export function DeleteRole({ role, onDeleted }: Props) {
  const deleting = useAction(async () => {
    await authApi.deleteAdminRole.call({ params: { roleId: role.roleId } })
    onDeleted()
  })
  return (
    <div className="grid gap-2">
      <ConfirmButton
        question={`Delete the role “${role.displayName}” permanently?`}
        confirm={deleting.isRunning ? 'Deleting…' : 'Delete it'}
        isBusy={deleting.isRunning}
        onConfirm={() => void deleting.run()}
      >
        Delete<span className="sr-only"> {role.name}</span>
      </ConfirmButton>
      <Outcome problem={deleting.error === null ? '' : roleRefusal(deleting.error)} />
    </div>
  )
}
