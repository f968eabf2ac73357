package main

import "strings"

// joined is args with negative numbers joined to the flags before them, which then say what they want: kong takes -1 for a flag.
func joined(args []string) (out []string) {
	for _, a := range args {
		n := len(out)
		if len(a) > 1 && a[0] == '-' && '0' <= a[1] && a[1] <= '9' && n > 0 && strings.HasPrefix(out[n-1], "--") && !strings.Contains(out[n-1], "=") {
			out[n-1] += "=" + a
			continue
		}
		out = append(out, a)
	}
	return out
}

// worded says in our words what kong finds wrong with a call: which flag or argument, the value, and what is allowed.
func worded(msg string) string {
	if flag, ok := strings.CutSuffix(msg, ` value but got "EOL" (<EOL>)`); ok {
		flag, _, _ = strings.Cut(flag, ": expected ")
		return flag + ": a value is missing"
	}
	if name, ok := strings.CutPrefix(msg, `expected "<`); ok {
		name, _, _ = strings.Cut(name, ">")
		return "the argument " + name + " is missing"
	}
	name, rest, ok := strings.Cut(msg, " must be one of ")
	if !ok {
		return msg
	}
	if bare := strings.Trim(name, "[<>]"); bare != name {
		name = "the argument " + bare
	}
	allowed, value, _ := strings.Cut(rest, " but got ")
	return name + ": want one of " + strings.ReplaceAll(strings.ReplaceAll(allowed, `"`, ""), ",", ", ") + ", not " + value
}
