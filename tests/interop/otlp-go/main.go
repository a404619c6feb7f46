// Reads OTLP/JSON traces by the reader of the OpenTelemetry Collector, and writes what it read: one JSON object a span.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

type event struct {
	Name       string         `json:"name"`
	Time       string         `json:"time"`
	Attributes map[string]any `json:"attributes"`
}

type span struct {
	Service    string         `json:"service"`
	Scope      string         `json:"scope"`
	TraceID    string         `json:"traceId"`
	SpanID     string         `json:"spanId"`
	ParentID   string         `json:"parentSpanId"`
	Name       string         `json:"name"`
	Kind       string         `json:"kind"`
	Start      string         `json:"start"`
	End        string         `json:"end"`
	Attributes map[string]any `json:"attributes"`
	Events     []event        `json:"events"`
	Status     string         `json:"status"`
	Message    string         `json:"message"`
}

func nanos(time pcommon.Timestamp) string { return fmt.Sprint(uint64(time)) }

func spanOf(service string, scope string, read ptrace.Span) span {
	events := []event{}
	for _, one := range read.Events().All() {
		events = append(events, event{one.Name(), nanos(one.Timestamp()), one.Attributes().AsRaw()})
	}
	return span{
		service, scope, read.TraceID().String(), read.SpanID().String(), read.ParentSpanID().String(),
		read.Name(), read.Kind().String(), nanos(read.StartTimestamp()), nanos(read.EndTimestamp()),
		read.Attributes().AsRaw(), events, read.Status().Code().String(), read.Status().Message(),
	}
}

func write(file string, out *json.Encoder) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(text)
	if err != nil {
		return err
	}
	for _, resource := range traces.ResourceSpans().All() {
		service, _ := resource.Resource().Attributes().Get("service.name")
		for _, scope := range resource.ScopeSpans().All() {
			for _, read := range scope.Spans().All() {
				if err := out.Encode(spanOf(service.Str(), scope.Scope().Name(), read)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func main() {
	out := json.NewEncoder(os.Stdout)
	for _, file := range os.Args[1:] {
		if err := write(file, out); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
			os.Exit(1)
		}
	}
}
