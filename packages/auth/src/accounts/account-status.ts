export type AccountStatus = 'active' | 'suspended' | 'pending_deletion' | 'deleted'
