/** Names the channel of the recorder, for every process that is started with it. */
export const CHANNEL_VARIABLE = 'FORENSICTRACE_CHANNEL';
