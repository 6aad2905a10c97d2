/** Of each list that grows for all time, an export has so many of the newest. */
export const mostExported = 1000
