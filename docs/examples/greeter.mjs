// An agent that answers each message with a greeting.

export const card = (url) => ({
  name: 'Greeter',
  description: 'Greets whoever writes to it.',
  version: '1.0.0',
  supportedInterfaces: [{ url: `${url}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
  capabilities: { streaming: false, extensions: [] },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'greet', name: 'Greet', description: 'Says good day.', tags: [], examples: [] }],
  securitySchemes: {},
  securityRequirements: [],
  signatures: [],
});

/** `onSkill` is told which skill runs: no hook of the SDK can see that. */
export const greeter = (onSkill) => ({
  execute: async ({ contextId, userMessage }, bus) => {
    onSkill('greet');
    const parts = [{ content: { $case: 'text', value: 'Good day' } }];
    bus.publish({ kind: 'message', data: { messageId: `re-${userMessage.messageId}`, role: 2, contextId, parts } });
    bus.finished();
  },
  cancelTask: async () => {},
});
