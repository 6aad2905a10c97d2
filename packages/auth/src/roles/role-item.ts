import type { RoleItem } from './contract.ts'
import type { Role } from './store.ts'

export function roleItem({ description, ...role }: Role): RoleItem {
  return { ...role, ...(description && { description }) }
}
