// Below all folders: the fence, the members and the pages of operators ask it.

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

export const isUuid = (text: string) => uuid.test(text)
