/** The first 12 characters of a revision: enough to tell revisions of a plan apart. */
export const shortRevision = (revision: string) => revision.slice(0, 12);
