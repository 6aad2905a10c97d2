import type { EnvironmentSource } from '@svc/core'

export function readAdminAccounts(_source: EnvironmentSource) {
  return []
}
