/** Of roles: they are compared exactly, by applications too. */
export const roleName = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/

/** Of permissions, such as `order:read`; at most 128 characters. */
export const permissionName = /^[A-Za-z0-9._-]+(?::[A-Za-z0-9._-]+)*$/

export const highestPriority = 1000
